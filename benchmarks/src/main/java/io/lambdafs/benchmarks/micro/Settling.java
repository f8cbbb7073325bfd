package io.lambdafs.benchmarks.micro;

/**
 * When it has warmed up enough: as soon as two passes on end were hardly faster than the fastest before them and compilers had hardly
 * anything to do, or after many. A JVM gets faster as long as it compiles, and several that share the load of one get there later; a rate
 * alone does not show that on a machine where it goes up and down anyway. Confined to one thread.
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

    /** @param most passes, at least 1 */
    Settling(int most) {
        this.most = most;
    }

    /**
     * Told of each pass in turn; true after the last one.
     *
     * @param compilerShare of all CPU time; NaN where nobody knows, and then the rate alone decides
     */
    boolean isOver(double opsPerSecond, double compilerShare) {
        boolean compiling = compilerShare > HARDLY_COMPILING;
        calm = compiling || opsPerSecond > fastest * HARDLY_FASTER ? 0 : calm + 1;
        fastest = Math.max(fastest, opsPerSecond);
        return ++passes >= most || calm >= CALM_PASSES;
    }
}
