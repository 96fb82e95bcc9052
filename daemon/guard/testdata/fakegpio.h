// GPIO chips for a test of the guard, in place of the kernel's: compiled into it
// with -include. The folder in FAKE_GPIO takes what happens: "PQ.05" holds the
// line's level, "asked" what was asked for, a file "busy" keeps lines taken, and
// one "deaf" makes them fail.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct { const char *label, *name; unsigned offset; } fake_lines[] = {
	{"tegra234-gpio-aon", "PAA.01", 1}, {"tegra234-gpio", "PQ.05", 105}, {"tegra234-gpio", "PI.01", 52}};
static int fake_chips[2] = {-1, -1};

static int fake_file(const char *name, int flags) {
	char path[256];
	snprintf(path, sizeof path, "%s/%s", getenv("FAKE_GPIO"), name);
	return open(path, flags | O_CLOEXEC, 0600);
}

static int fake_open(const char *path, int flags, ...) {
	int n;
	if (!strcmp(path, "/proc/device-tree/compatible")) return fake_file("compatible", O_RDONLY);
	if (sscanf(path, "/dev/gpiochip%d", &n) != 1) return open(path, flags, 0600);
	if (n > 1) return errno = ENOENT, -1;
	fake_chips[!n] = -1; // numbers are used again
	return fake_chips[n] = open("/dev/null", O_RDWR | O_CLOEXEC);
}

static int fake_ioctl(int fd, unsigned long request, void *arg) {
	const char *label = fd == fake_chips[0] ? "tegra234-gpio-aon" : "tegra234-gpio";
	if (request == GPIO_GET_CHIPINFO_IOCTL) {
		strcpy(((struct gpiochip_info *)arg)->label, label);
		return 0;
	}
	if (request == GPIO_V2_LINE_SET_VALUES_IOCTL) {
		struct gpio_v2_line_values *v = arg;
		int deaf = fake_file("deaf", O_RDONLY);
		if (deaf >= 0) return close(deaf), errno = EIO, -1;
		char level = v->bits & 1 ? '1' : '0';
		return v->mask == 1 && pwrite(fd, &level, 1, 0) == 1 ? 0 : (errno = EINVAL, -1);
	}
	struct gpio_v2_line_info *info = arg;
	struct gpio_v2_line_request *ask = arg;
	for (unsigned i = 0; i < sizeof fake_lines / sizeof fake_lines[0]; i++) {
		if (strcmp(fake_lines[i].label, label)) continue;
		if (request == GPIO_V2_GET_LINEINFO_IOCTL && info->offset == fake_lines[i].offset) {
			strcpy(info->name, fake_lines[i].name);
			return 0;
		}
		if (request != GPIO_V2_GET_LINE_IOCTL || ask->offsets[0] != fake_lines[i].offset) continue;
		int busy = fake_file("busy", O_RDONLY);
		if (busy >= 0) return close(busy), errno = EBUSY, -1;
		if (ask->num_lines != 1 || ask->config.flags != GPIO_V2_LINE_FLAG_OUTPUT || ask->config.num_attrs != 1 ||
			ask->config.attrs[0].attr.id != GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES || ask->config.attrs[0].attr.values != 0 || ask->config.attrs[0].mask != 1)
			return errno = EINVAL, -1;
		ask->fd = fake_file(fake_lines[i].name, O_RDWR | O_CREAT);
		return pwrite(ask->fd, "0", 1, 0) == 1 ? 0 : -1;
	}
	return request == GPIO_V2_GET_LINEINFO_IOCTL ? 0 : (errno = EINVAL, -1);
}

#define open fake_open
#define ioctl fake_ioctl
