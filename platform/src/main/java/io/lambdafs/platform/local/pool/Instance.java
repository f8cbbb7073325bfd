package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.RunningInstance;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A function instance as the scheduler sees it. Guarded by the pool's lock, but for what is volatile. */
final class Instance {
    /** Where an instance is in its life. */
    enum Phase {
        /** Its process starts; it may already be meant for an action. */
        STARTING,
        /** Its process waits for any action of its kind and memory. */
        PREWARMED,
        /** {@code /init} is under way. */
        INITIALISING,
        /** It takes calls. */
        READY,
        /** It was told to leave, or killed; its memory is charged until it has gone. */
        STOPPING
    }

    /** How often its cache answered. */
    private static final String CACHE_HITS = "lambdafs_cache_hits_total";

    static final long UNKNOWN = -1;
    /** After which a first call is one that takes long by itself. */
    private static final long FIRST_REPLY_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
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
    /** What it was initialised with. */
    @Nullable
    RegisteredAction action;

    /** To be stopped once its calls have ended. */
    boolean retiring;

    StartKind nextStart = StartKind.COLD;
    long assignedNanos;
    long initBegunNanos;
    long initMillis;
    volatile long coldStartMillis = UNKNOWN;
    long readyNanos;
    /** Whether a call that it took has ended. */
    boolean hasReplied;

    long lastUsedNanos;
    long activations;
    /** What it told last of itself, and when. */
    MetricsPage page = MetricsPage.EMPTY;

    private long scrapedMillis = UNKNOWN;
    private long scrapedNanos;
    /** When it was last seen to serve most of the time, by whatever way requests reach it. */
    long busyNanos;

    volatile @Nullable RunningInstance running;

    Instance(String id, String kind, int memoryMb, long nowNanos) {
        this.id = id;
        this.kind = kind;
        this.memoryMb = memoryMb;
        this.createdNanos = nowNanos;
        this.lastUsedNanos = nowNanos;
        this.busyNanos = nowNanos;
    }

    /** Takes what it tells of itself; billed time counts as use. */
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
        scrapedMillis = Math.max(scrapedMillis, millis);
        scrapedNanos = nowNanos;
    }

    /** Since when it could have been done without. */
    long unneededSinceNanos() {
        return busyNanos - lastUsedNanos > 0 ? busyNanos : lastUsedNanos;
    }

    /** Its process, which must have started. */
    RunningInstance running() {
        RunningInstance process = running;
        if (process == null) {
            throw new IllegalStateException("instance " + id + " has not started");
        }
        return process;
    }

    boolean idle() {
        return phase == Phase.READY && calls.isEmpty();
    }

    /** Returns whether somebody waits for its first reply, which takes longer than those that follow. */
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

    /** Its own figure, else that of its HTTP invocations. */
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
                coldStartMillis == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(coldStartMillis));
    }
}
