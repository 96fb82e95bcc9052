// Graphs. A launched graph runs its nodes one after the other, in an order that
// their edges allow; it counts as one launch.
#include <algorithm>
#include <string.h>

#include "driver.h"

using namespace softcuda;

using Arguments = std::vector<std::vector<char>>;

struct CUgraphNode_st {
  CUgraph graph;
  CUgraphNodeType type;
  std::vector<CUgraphNode> after;  // nodes that come before this one
  std::function<CUresult()> run;
  CUgraph child = nullptr;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
struct CUgraphExec_st {
  // Shared with launches that are still under way when the handle goes.
  std::shared_ptr<std::vector<std::function<CUresult()>>> steps = std::make_shared<std::vector<std::function<CUresult()>>>();
  std::vector<CUgraphNode> nodes;  // whose steps they are
};

// CUgraphEdgeData.
struct Edge {
  unsigned char from_port, to_port, type, reserved[5];
};

namespace {

// The nodes in an order in which each comes after those it depends on.
bool order(CUgraph g, std::vector<CUgraphNode>* to) {
  std::set<CUgraphNode> done;
  while (done.size() < g->nodes.size()) {
    size_t before = done.size();
    for (auto& n : g->nodes) {
      bool ready = !done.count(n.get()) && std::all_of(n->after.begin(), n->after.end(), [&](CUgraphNode a) { return done.count(a); });
      if (!ready) continue;
      done.insert(n.get());
      to->push_back(n.get());
    }
    if (done.size() == before) return false;  // a circle
  }
  return true;
}

bool flatten(Call& call, CUgraph g, CUgraphExec e) {
  std::vector<CUgraphNode> nodes;
  if (!order(g, &nodes)) return false;
  for (CUgraphNode n : nodes) {
    if (n->child) {
      if (!call.d.graphs.count(n->child) || !flatten(call, n->child, e)) return false;
    } else if (n->run) {
      e->steps->push_back(n->run);
      e->nodes.push_back(n);
    }
  }
  return true;
}

CUresult add(Call& call, CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count, CUgraphNodeType type,
             std::function<CUresult()> run, CUgraph child = nullptr) {
  if (!call.d.graphs.count(g)) return CUDA_ERROR_INVALID_HANDLE;
  if (!out || (count && !after)) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; i++) {
    if (!after[i] || after[i]->graph != g) return CUDA_ERROR_INVALID_VALUE;
  }
  g->nodes.emplace_back(new CUgraphNode_st{g, type, std::vector<CUgraphNode>(after, after + count), std::move(run), child});
  *out = g->nodes.back().get();
  return CUDA_SUCCESS;
}

CUresult kernelStep(const CUDA_KERNEL_NODE_PARAMS* p, std::function<CUresult()>* step) {
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  Arguments arguments;
  CUresult r = prepareLaunch(*p, &arguments);
  if (r) return r;
  Index grid{p->gridDimX, p->gridDimY, p->gridDimZ}, block{p->blockDimX, p->blockDimY, p->blockDimZ};
  *step = [=, f = *p->func, shared = p->sharedMemBytes] { return launch(f, grid, block, shared, arguments); };
  return CUDA_SUCCESS;
}

CUresult instantiate(CUgraphExec* out, CUgraph g) {
  Call call;
  if (call.result) return call.result;
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  if (!call.d.graphs.count(g)) return CUDA_ERROR_INVALID_HANDLE;
  std::unique_ptr<CUgraphExec_st> e(new CUgraphExec_st());
  if (!flatten(call, g, e.get())) return CUDA_ERROR_INVALID_VALUE;
  *out = e.release();
  call.d.execs.insert(*out);
  return CUDA_SUCCESS;
}

}  // namespace

#define SOFTCUDA_CALL  \
  Call call;           \
  if (call.result) return call.result

extern "C" {

CUresult cuGraphCreate(CUgraph* out, unsigned flags) {
  SOFTCUDA_CALL;
  if (!out || flags) return CUDA_ERROR_INVALID_VALUE;
  *out = new CUgraph_st();
  call.d.graphs.insert(*out);
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph g) {
  SOFTCUDA_CALL;
  if (!call.d.graphs.erase(g)) return CUDA_ERROR_INVALID_HANDLE;
  delete g;
  return CUDA_SUCCESS;
}
CUresult cuGraphAddKernelNode(CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count, const CUDA_KERNEL_NODE_PARAMS* p) {
  SOFTCUDA_CALL;
  std::function<CUresult()> step;
  CUresult r = kernelStep(p, &step);
  return r ? r : add(call, out, g, after, count, CU_GRAPH_NODE_TYPE_KERNEL, step);
}
// CUDA 12's form: the same fields first.
CUresult cuGraphAddKernelNode_v2(CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count, const CUDA_KERNEL_NODE_PARAMS* p) {
  return cuGraphAddKernelNode(out, g, after, count, p);
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count, const CUDA_MEMCPY3D* p, CUcontext) {
  SOFTCUDA_CALL;
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  return add(call, out, g, after, count, CU_GRAPH_NODE_TYPE_MEMCPY, [c = *p] { return copyBox(c); });
}
CUresult cuGraphAddMemsetNode(CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count, const CUDA_MEMSET_NODE_PARAMS* p, CUcontext) {
  SOFTCUDA_CALL;
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)) return CUDA_ERROR_INVALID_VALUE;
  size_t rows = p->height > 1 ? p->height - 1 : 0;
  if (!find(p->dst, rows * p->pitch + p->width * p->elementSize)) return CUDA_ERROR_INVALID_VALUE;
  return add(call, out, g, after, count, CU_GRAPH_NODE_TYPE_MEMSET, [m = *p] {
    fillBox(m.dst, m.pitch, m.value, m.elementSize, m.width, m.height);
    return CUDA_SUCCESS;
  });
}
CUresult cuGraphAddHostNode(CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count, const CUDA_HOST_NODE_PARAMS* p) {
  SOFTCUDA_CALL;
  if (!p || !p->fn) return CUDA_ERROR_INVALID_VALUE;
  return add(call, out, g, after, count, CU_GRAPH_NODE_TYPE_HOST, [h = *p] {
    h.fn(h.userData);
    return CUDA_SUCCESS;
  });
}
CUresult cuGraphAddEmptyNode(CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count) {
  SOFTCUDA_CALL;
  return add(call, out, g, after, count, CU_GRAPH_NODE_TYPE_EMPTY, nullptr);
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* out, CUgraph g, const CUgraphNode* after, size_t count, CUgraph child) {
  SOFTCUDA_CALL;
  if (!call.d.graphs.count(child) || child == g) return CUDA_ERROR_INVALID_HANDLE;
  return add(call, out, g, after, count, CU_GRAPH_NODE_TYPE_GRAPH, nullptr, child);
}
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  SOFTCUDA_CALL;
  if (!call.d.graphs.count(g)) return CUDA_ERROR_INVALID_HANDLE;
  for (size_t i = 0; i < count; i++) {
    if (!from[i] || !to[i] || from[i]->graph != g || to[i]->graph != g) return CUDA_ERROR_INVALID_VALUE;
    to[i]->after.push_back(from[i]);
  }
  return CUDA_SUCCESS;
}
// CUDA 12.3's form: edges that let kernels overlap run one after the other here.
CUresult cuGraphAddDependencies_v2(CUgraph g, const CUgraphNode* from, const CUgraphNode* to, const Edge* edges, size_t count) {
  for (size_t i = 0; edges && i < count; i++) {
    const bool overlap = edges[i].type == 1;
    if (edges[i].type > 1 || edges[i].to_port || edges[i].from_port > 2 || overlap != (edges[i].from_port > 0)) return CUDA_ERROR_INVALID_VALUE;
    if (overlap && from[i] && to[i] && (from[i]->type != CU_GRAPH_NODE_TYPE_KERNEL || to[i]->type != CU_GRAPH_NODE_TYPE_KERNEL)) return CUDA_ERROR_INVALID_VALUE;
  }
  return cuGraphAddDependencies(g, from, to, count);
}
CUresult cuGraphNodeGetType(CUgraphNode n, CUgraphNodeType* out) {
  SOFTCUDA_CALL;
  if (!n || !out) return CUDA_ERROR_INVALID_VALUE;
  *out = n->type;
  return CUDA_SUCCESS;
}
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode* nodes, size_t* count) {
  SOFTCUDA_CALL;
  if (!call.d.graphs.count(g) || !count) return CUDA_ERROR_INVALID_VALUE;
  if (nodes) {
    for (size_t i = 0; i < *count; i++) nodes[i] = i < g->nodes.size() ? g->nodes[i].get() : nullptr;
  }
  *count = g->nodes.size();
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiate(CUgraphExec* out, CUgraph g, CUgraphNode* wrong, char* log, size_t size) {
  if (wrong) *wrong = nullptr;
  if (log && size) *log = 0;
  return instantiate(out, g);
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* out, CUgraph g, unsigned long long) { return instantiate(out, g); }
CUresult cuGraphExecDestroy(CUgraphExec e) {
  SOFTCUDA_CALL;
  if (!call.d.execs.erase(e)) return CUDA_ERROR_INVALID_HANDLE;
  delete e;
  return CUDA_SUCCESS;
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS* p) {
  SOFTCUDA_CALL;
  if (!call.d.execs.count(e)) return CUDA_ERROR_INVALID_HANDLE;
  auto i = std::find(e->nodes.begin(), e->nodes.end(), n);
  if (i == e->nodes.end() || n->type != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  std::function<CUresult()> step;
  CUresult r = kernelStep(p, &step);
  if (r) return r;
  e->steps = std::make_shared<std::vector<std::function<CUresult()>>>(*e->steps);  // launches keep theirs
  (*e->steps)[size_t(i - e->nodes.begin())] = step;
  return CUDA_SUCCESS;
}
CUresult cuGraphUpload(CUgraphExec e, CUstream) {
  SOFTCUDA_CALL;
  return call.d.execs.count(e) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuGraphLaunch(CUgraphExec e, CUstream handle) {
  SOFTCUDA_CALL;
  CUstream s = call.stream(handle);
  if (!s || !call.d.execs.count(e)) return CUDA_ERROR_INVALID_HANDLE;
  call.issue(s, [steps = e->steps] {
    return start([&] {
      for (auto& step : *steps) {
        if (CUresult r = step()) return r;
      }
      return CUDA_SUCCESS;
    });
  });
  return CUDA_SUCCESS;
}

}  // extern "C"
