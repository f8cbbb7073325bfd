package io.lambdafs.hammer.coldstart;

import io.lambdafs.platform.local.instance.Criu;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The kind of instance that a call finds. */
enum Kind {
    /** None: a process is started for it, without the class archive. */
    BARE(0, false, false, List.of(Step.values())),
    /** None: a process is started for it. */
    COLD(0, true, false, List.of(Step.values())),
    /** A running process that has rehearsed and has no deployment yet: the hot pool. */
    PREWARMED(1, true, false, List.of(Step.INITIALISATION, Step.FIRST_REPLY, Step.TOTAL)),
    /** The image of a process that has rehearsed; only where this machine can restore one. */
    SNAPSHOT(0, true, true, List.of(Step.values()));

    private final int prewarm;
    private final boolean archive;
    private final boolean snapshots;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after construction
    private final List<Step> steps;

    Kind(int prewarm, boolean archive, boolean snapshots, List<Step> steps) {
        this.prewarm = prewarm;
        this.archive = archive;
        this.snapshots = snapshots;
        this.steps = List.copyOf(steps);
    }

    /** Returns the number of processes that its clusters keep prewarmed. */
    int prewarm() {
        return prewarm;
    }

    /** Returns whether its instances start from the class archive. */
    boolean archive() {
        return archive;
    }

    /** Returns whether its instances are restored from an image. */
    boolean snapshots() {
        return snapshots;
    }

    /** Returns the kinds that this machine can measure. */
    static List<Kind> possible() {
        boolean can = Criu.find(System.getenv()).engine().isPresent();
        return Arrays.stream(values()).filter(each -> can || !each.snapshots).toList();
    }

    /** Returns the steps that the call waits for, in order, and then the total. */
    List<Step> steps() {
        return steps;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
