// What becomes of a thread's results below 2^-126. Included by kernel.h.

// control is the register that says so, and notes what happened. Where nothing can be set
// there they are computed.
#if defined(__SSE__)
enum { FLUSH_TO_ZERO = 0x8000, UNDERFLOWN = 0x10 };
INLINE unsigned control() { return _mm_getcsr(); }
INLINE void set_control(unsigned to) { _mm_setcsr(to); }
#else
enum { FLUSH_TO_ZERO = 0, UNDERFLOWN = 0 };
INLINE unsigned control() { return 0; }
INLINE void set_control(unsigned) {}
#endif

enum Tiny { AS_BEFORE, FLUSHED, COMPUTED };

// While a Results lives such results become 0, or are computed. What that is to hold for is
// a function that is not inlined: no compiler knows that arithmetic depends on the register.
struct Results {
	const Tiny tiny;
	const unsigned before;

	explicit Results(Tiny tiny) : tiny(tiny), before(tiny == AS_BEFORE ? 0 : control()) {
		const unsigned rest = before & ~(FLUSH_TO_ZERO | UNDERFLOWN);
		if (tiny != AS_BEFORE) set_control(tiny == FLUSHED ? rest | FLUSH_TO_ZERO : rest);
	}
	~Results() {
		if (tiny != AS_BEFORE) set_control(before);
	}
	// lost reports whether one became 0 that is none.
	bool lost() const { return tiny == FLUSHED && control() & UNDERFLOWN; }
};
