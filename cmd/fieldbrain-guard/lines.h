// The reset line, and the dead-man's, of every header that robot/picarx knows:
// a test compares the two tables. GPIO character device, uAPI v2 (linux/gpio.h),
// Linux 5.10 and newer.
#pragma once

static const struct header {
	const char *name, *board; // how its device tree begins
	const char *chip, *reset; // BCM 5, pin 29
	unsigned offset;
	const char *other, *free; // BCM 20, pin 38, which no PiCar-X uses
	unsigned place;
} headers[] = {
	{"orin-nano", "nvidia,p3768-0000+p3767-", "tegra234-gpio", "PQ.05", 105, "tegra234-gpio", "PI.01", 52},
	{"orin-nano", "nvidia,p3509-0000+p3767-", "tegra234-gpio", "PQ.05", 105, "tegra234-gpio", "PI.01", 52},
	{"agx-orin", "nvidia,p3737-0000+p3701-", "tegra234-gpio-aon", "PAA.01", 1, "tegra234-gpio", "PI.01", 52},
	{"pi-5", "brcm,bcm2712", "pinctrl-rp1", "GPIO5", 5, "pinctrl-rp1", "GPIO20", 20},
	{"pi-4", "brcm,bcm2711", "pinctrl-bcm2711", "GPIO5", 5, "pinctrl-bcm2711", "GPIO20", 20},
	{"pi-3", "brcm,bcm2837", "pinctrl-bcm2835", "GPIO5", 5, "pinctrl-bcm2835", "GPIO20", 20},
	{"pi-3", "brcm,bcm2835", "pinctrl-bcm2835", "GPIO5", 5, "pinctrl-bcm2835", "GPIO20", 20},
};
enum { HEADERS = sizeof headers / sizeof headers[0] };

static const struct header *own;   // whose line it is, NULL for a simulated one
static char where[28];             // the header's name
static bool simulated;             // both lines end at a simulated HAT's socket
static int line = -1, spare = -1;  // reset, dead-man

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...);

// drive sets a line's level; a simulated HAT takes a byte for it.
static bool drive(int fd, bool high, char mark) {
	if (simulated) return send(fd, &mark, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
	struct gpio_v2_line_values v = {.bits = high, .mask = 1};
	return ioctl(fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &v) == 0;
}

static void set_spare(bool high) {
	if (spare >= 0) drive(spare, high, high ? '+' : '-');
}

static int print_lines(void) {
	for (int i = 0; i < HEADERS; i++) {
		const struct header *h = &headers[i];
		printf("%s %s %s %s %u %s %s %u\n", h->name, h->board, h->chip, h->reset, h->offset, h->other, h->free, h->place);
	}
	return 0;
}

// request takes one line as output, low, of the chip with a label; -1 with errno.
static int request(const char *label, const char *name, unsigned offset) {
	int why = ENODEV;
	for (int i = 0; i < 64; i++) {
		char path[32];
		snprintf(path, sizeof path, "/dev/gpiochip%d", i);
		int chip = open(path, O_RDWR | O_CLOEXEC);
		if (chip < 0) {
			if (errno == EACCES) why = EACCES;
			continue;
		}
		struct gpiochip_info info = {0};
		struct gpio_v2_line_info about = {.offset = offset};
		struct gpio_v2_line_request ask = {.offsets = {offset}, .num_lines = 1, .consumer = "fieldbrain-guard"};
		ask.config.flags = GPIO_V2_LINE_FLAG_OUTPUT;
		ask.config.num_attrs = 1;
		ask.config.attrs[0].mask = 1;
		ask.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES; // values 0: low, without a glitch
		int got = -1;
		if (ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, &info) == 0 && !strcmp(info.label, label)) {
			if (ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &about) < 0 || strcmp(about.name, name)) why = ENXIO;
			else if (ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &ask) == 0) got = ask.fd;
			else why = errno;
		}
		close(chip);
		if (got >= 0) return got;
	}
	errno = why;
	return -1;
}

// seek takes the reset line, low, that was busy before: whoever held it may have ended.
// Where somebody still does, errno is EBUSY and nothing has happened.
static bool seek(void) {
	if (line >= 0) return true;
	errno = ENODEV;
	if (!own || (line = request(own->chip, own->reset, own->offset)) < 0) return false;
	say("fieldbrain-guard: the reset line is free: it is held, and low");
	return true;
}

// set_line sets the reset line's level, and looks for the line first where there is none.
static bool set_line(bool high) { return seek() && drive(line, high, high ? '1' : '0'); }

// board finds the header by its name, or by the device tree's strings.
static const struct header *board(const char *name) {
	char tree[1024] = "";
	int fd = open("/proc/device-tree/compatible", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, tree, sizeof tree - 1);
	if (fd >= 0) close(fd);
	bool family = name && !strcmp(name, "pi"); // whichever Pi it is
	if (name && (!strcmp(name, "auto") || family)) name = NULL;
	for (int i = 0; name && i < HEADERS; i++)
		if (!strcmp(headers[i].name, name)) return &headers[i];
	for (const char *at = tree; !name && at < tree + n; at += strlen(at) + 1)
		for (int i = 0; i < HEADERS; i++)
			if (!strncmp(at, headers[i].board, strlen(headers[i].board))) return family && strncmp(headers[i].name, "pi-", 3) ? NULL : &headers[i];
	return NULL;
}

// open_lines takes the lines, or returns the remedy. A line that is busy is left
// to the daemon that holds it, which will bring it, or end: seek takes it then.
static const char *open_lines(const char *name, bool deadman) {
	const struct header *h = board(name);
	errno = ENODEV;
	if (!h) return "this is no board it knows; name its --header: orin-nano, agx-orin, pi-3, pi-4 or pi-5";
	own = h;
	snprintf(where, sizeof where, "%s", h->name);
	line = request(h->chip, h->reset, h->offset);
	if (line < 0 && errno != EBUSY) return "is this the robot, and may this user open /dev/gpiochip* (group gpio)?";
	if (deadman && (spare = request(h->other, h->free, h->place)) < 0) return "the dead-man's pin 38 (BCM 20) must be free";
	return NULL;
}

// open_simulated takes the lines of a simulated HAT in another process.
static const char *open_simulated(const char *path) {
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	snprintf(where, sizeof where, "bench");
	simulated = true;
	line = spare = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return connect(line, (struct sockaddr *)&at, sizeof at) == 0 && set_line(false) ? NULL : "no simulated HAT listens there";
}
