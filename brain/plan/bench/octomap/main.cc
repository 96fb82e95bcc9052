// Times OctoMap on the map and the rays of fieldbrain bench plan. From standard
// input: cells per axis and edge in m, log-odds in units of 1/32 as int8 (x
// slowest), poses, rays per pose; then poses of 3 and directions of 3 floats, and
// lengths of the inserted rays. Then takes a turn for every further byte, and
// prints seconds to cast, mean bits, seconds to insert.
#include <octomap/octomap.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdint>
#include <vector>

using clock_type = std::chrono::steady_clock;

static double since(clock_type::time_point begin) {
	return std::chrono::duration<double>(clock_type::now() - begin).count();
}

template <class T> static std::vector<T> take(size_t n) {
	std::vector<T> v(n);
	if (fread(v.data(), sizeof(T), n, stdin) != n) {
		fprintf(stderr, "octomap: input ends early\n");
		exit(1);
	}
	return v;
}

static double gain(octomap::OcTree &tree, const octomap::point3d &from, const octomap::point3d &to, octomap::KeyRay &keys) {
	double sum = 0, reach = 1;
	if (!tree.computeRayKeys(from, to, keys)) return 0;
	for (auto &key : keys) {
		octomap::OcTreeNode *node = tree.search(key);
		double p = node ? node->getOccupancy() : 0.5;
		sum += reach * -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
		reach *= 1 - p;
		if (reach < 1.0 / 128) break;
	}
	return sum;
}

int main() {
	auto shape = take<int32_t>(3); // cells per axis, poses, rays
	auto edge = take<float>(1)[0];
	int n = shape[0], poses = shape[1], rays = shape[2];
	auto odds = take<int8_t>(size_t(n) * n * n);
	auto at = take<float>(3 * size_t(poses)), way = take<float>(3 * size_t(rays)), length = take<float>(rays);
	octomap::OcTree tree(edge);
	tree.setClampingThresMin(0.01);
	tree.setClampingThresMax(0.99);
	for (int x = 0; x < n; x++)
		for (int y = 0; y < n; y++)
			for (int z = 0; z < n; z++)
				if (float v = odds[(size_t(x) * n + y) * n + z] / 32.0f)
					tree.setNodeValue(octomap::point3d((x + 0.5f) * edge, (y + 0.5f) * edge, (z + 0.5f) * edge), v, true);
	tree.updateInnerOccupancy();
	octomap::Pointcloud cloud;
	octomap::point3d first(at[0], at[1], at[2]);
	for (int r = 0; r < rays; r++)
		cloud.push_back(first + octomap::point3d(way[3 * r], way[3 * r + 1], way[3 * r + 2]) * length[r]);
	octomap::OcTree empty(edge);
	empty.insertPointCloud(cloud, first); // the nodes are there when it counts
	octomap::KeyRay keys;
	while (getchar() != EOF) {
		double bits = 0;
		auto begin = clock_type::now();
		for (int p = 0; p < poses; p++)
			for (int r = 0; r < rays; r++) {
				octomap::point3d from(at[3 * p], at[3 * p + 1], at[3 * p + 2]);
				octomap::point3d d(way[3 * r], way[3 * r + 1], way[3 * r + 2]);
				float far = 1e9f; // up to the edge of the grid
				for (int i = 0; i < 3; i++)
					if (d(i) != 0) far = std::min(far, ((d(i) > 0 ? n * edge : 0) - from(i)) / d(i));
				bits += gain(tree, from, from + d * far, keys);
			}
		double cast = since(begin);
		begin = clock_type::now();
		empty.insertPointCloud(cloud, first);
		printf("%.9f %.6f %.9f\n", cast, bits / (double(poses) * rays), since(begin));
		fflush(stdout);
	}
}
