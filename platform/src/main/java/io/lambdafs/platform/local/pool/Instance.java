package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.RunningInstance;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The scheduler's state of a function instance. Guarded by the pool's lock, except volatile fields. */
final class Instance {
    /** The phase of an instance's life. */
    enum Phase {
        /** Its process starts; it may already be assigned to an action. */
        STARTING,
        /** Its process waits for any action of its kind and memory. */
        PREWARMED,
        /** {@code /init} is in flight. */
        INITIALISING,
        /** It takes calls. */
        READY,
        /** It was asked to stop or killed; its memory is charged until it has ended. */
        STOPPING
    }

    /** The metric of its cache's hits. */
    private static final String CACHE_HITS = "lambdafs_cache_hits_total";

    static final long UNKNOWN = -1;
    /** After this time a first call counts as slow in itself. */
    private static final long FIRST_REPLY_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The time for which the load on its metrics page counts as current. */
    private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** Until then a new instance needs more than its share to load and compile its code, however little it serves. */
    static final long NEW_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** From this multiple of its steady cost on an instance counts as cold. */
    static final double COLD = 2;
    /** An instance counts as busy from this share of billed time on. */
    static final double BUSY_SHARE = 0.5;

    final String id;
    final String kind;
    final int memoryMb;
    final long createdNanos;
    final Set<Call> calls = new LinkedHashSet<>();
    final SlotMeter meter = new SlotMeter();

    Phase phase = Phase.STARTING;
    volatile @Nullable ActionState owner;
    /** The action it was initialised with. */
    @Nullable
    RegisteredAction action;

    /** True if it stops once its calls have ended. */
    boolean retiring;

    StartKind nextStart = StartKind.COLD;
    long assignedNanos;
    long initBegunNanos;
    long initMillis;
    volatile long coldStartMillis = UNKNOWN;
    long readyNanos;
    /** True if any of its calls has ended. */
    boolean hasReplied;

    long lastUsedNanos;
    long activations;
    /** Its last page of metrics, and the time of that. */
    MetricsPage page = MetricsPage.EMPTY;

    private long scrapedMillis = UNKNOWN;
    private long scrapedNanos;
    /** When it last served most of the time, over HTTP or TCP. */
    long busyNanos;
    /** When it last served at all. */
    private long servedNanos;

    volatile @Nullable RunningInstance running;

    Instance(String id, String kind, int memoryMb, long nowNanos) {
        this.id = id;
        this.kind = kind;
        this.memoryMb = memoryMb;
        this.createdNanos = nowNanos;
        this.lastUsedNanos = nowNanos;
        this.busyNanos = nowNanos;
        this.servedNanos = nowNanos;
    }

    /** Notes its page of metrics; billed time counts as use. */
    void scraped(MetricsPage told, long nowNanos) {
        page = told;
        if (told.has(MetricsPage.BILLED)) {
            billed((long) told.sum(MetricsPage.BILLED), nowNanos);
        }
    }

    private void billed(long millis, long nowNanos) {
        long elapsed = TimeUnit.NANOSECONDS.toMillis(nowNanos - scrapedNanos);
        if (scrapedMillis != UNKNOWN && millis - scrapedMillis > elapsed * BUSY_SHARE) {
            busyNanos = nowNanos;
        }
        if (scrapedMillis != UNKNOWN && millis > scrapedMillis) {
            servedNanos = nowNanos;
        }
        scrapedMillis = Math.max(scrapedMillis, millis);
        scrapedNanos = nowNanos;
    }

    /** Returns the time since which it has not been needed. */
    long unneededSinceNanos() {
        return busyNanos - lastUsedNanos > 0 ? busyNanos : lastUsedNanos;
    }

    /** Returns the time since which nobody has used it, over HTTP or TCP. */
    long unusedSinceNanos() {
        return servedNanos - lastUsedNanos > 0 ? servedNanos : lastUsedNanos;
    }

    /** Returns its process, which must have started. */
    RunningInstance running() {
        RunningInstance process = running;
        if (process == null) {
            throw new IllegalStateException("instance " + id + " has not started");
        }
        return process;
    }

    /** Returns whether it serves with more than its CPU share, which platforms grant for a while only. */
    boolean isBeyondItsShare(long nowNanos) {
        return phase == Phase.READY
                && nowNanos - readyNanos >= NEW_NANOS
                && nowNanos - scrapedNanos < TOLD_NANOS
                && page.sum(MetricsPage.OF_CPU_SHARE) > 1;
    }

    /** Returns its CPU time per operation as a multiple of the steady one; empty if it does not tell. */
    OptionalDouble ofSteadyCost() {
        return page.has(MetricsPage.OF_STEADY_COST)
                ? OptionalDouble.of(page.sum(MetricsPage.OF_STEADY_COST))
                : OptionalDouble.empty();
    }

    /** Returns whether it tells that its operations cost much more than they will. */
    boolean isCold() {
        return ofSteadyCost().orElse(0) >= COLD;
    }

    boolean idle() {
        return phase == Phase.READY && calls.isEmpty();
    }

    /** Returns whether a caller waits for its first reply, which takes longer than later ones. */
    boolean owesItsFirstReply(long nowNanos) {
        return phase == Phase.READY
                && !hasReplied
                && !calls.isEmpty()
                && nowNanos - readyNanos < FIRST_REPLY_LIMIT_NANOS;
    }

    boolean takesCallsOf(ActionState state) {
        return phase == Phase.READY
                && !retiring
                && state.action.equals(action)
                && calls.size() < state.action.spec().limits().concurrency();
    }

    /** Returns its billed time: its own metric, else that of its HTTP invocations. */
    long billedMillis(long nowNanos) {
        return scrapedMillis == UNKNOWN ? meter.billedMillis(nowNanos) : scrapedMillis;
    }

    long provisionedMillis(long nowNanos) {
        return owner == null ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - assignedNanos);
    }

    InstanceView view(long nowNanos) {
        RunningInstance process = running;
        ActionState mine = owner;
        return new InstanceView(
                mine == null ? "" : mine.name,
                id,
                process == null ? OptionalLong.empty() : process.pid(),
                phase.name().toLowerCase(Locale.ROOT),
                process == null ? "" : process.endpoint(),
                TimeUnit.NANOSECONDS.toMillis(nowNanos - createdNanos),
                activations,
                calls.size(),
                billedMillis(nowNanos),
                (long) page.sum(CACHE_HITS, "role", "entry") + (long) page.sum(CACHE_HITS, "role", "listing"),
                coldStartMillis == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(coldStartMillis),
                ofSteadyCost());
    }
}
