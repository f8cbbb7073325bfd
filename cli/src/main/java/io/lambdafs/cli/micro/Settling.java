package io.lambdafs.cli.micro;

/**
 * When it has warmed up enough: as soon as two passes on end were hardly faster than the fastest before them, or after many. A JVM gets faster
 * as long as it compiles, and several that share the load of one get there later. Confined to one thread.
 */
final class Settling {
    static final int MOST_PASSES = 12;
    private static final double HARDLY = 1.05;
    private static final int CALM_PASSES = 2;

    private final int most;
    private double fastest;
    private int passes;
    private int calm;

    /** @param most passes, at least 1 */
    Settling(int most) {
        this.most = most;
    }

    /** Told the rate of each pass in turn; true after the last one. */
    boolean isOver(double opsPerSecond) {
        calm = opsPerSecond > fastest * HARDLY ? 0 : calm + 1;
        fastest = Math.max(fastest, opsPerSecond);
        return ++passes >= most || calm >= CALM_PASSES;
    }
}
