package io.lambdafs.benchmarks.micro;

/**
 * Decides when warm-up ends: after two consecutive passes that are hardly faster than the fastest before them and
 * hardly compile, or after the maximum of passes. A JVM speeds up while it compiles, and JVMs that share one load take
 * longer; on a machine with noisy rates the rate alone does not show that. Confined to one thread.
 */
final class Settling {
    static final int MOST_PASSES = 20;
    private static final double HARDLY_FASTER = 1.05;
    private static final double HARDLY_COMPILING = 0.03;
    private static final int CALM_PASSES = 2;

    private final int most;
    private double fastest;
    private int passes;
    private int calm;

    /** @param most maximum of passes, at least 1 */
    Settling(int most) {
        this.most = most;
    }

    /**
     * Notes a pass and returns whether it was the last one.
     *
     * @param compilerShare compilers' share of all CPU time; NaN if not known, when the rate alone decides
     */
    boolean isOver(double opsPerSecond, double compilerShare) {
        boolean compiling = compilerShare > HARDLY_COMPILING;
        calm = compiling || opsPerSecond > fastest * HARDLY_FASTER ? 0 : calm + 1;
        fastest = Math.max(fastest, opsPerSecond);
        return ++passes >= most || calm >= CALM_PASSES;
    }
}
