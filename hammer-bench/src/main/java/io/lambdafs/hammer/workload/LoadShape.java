package io.lambdafs.hammer.workload;

/** The course of a replay's load over its length. */
public enum LoadShape {
    /** The paper's §5.2.1: a new throughput from a Pareto distribution every 15 s, and one burst. */
    BURSTS,
    /** The base throughput in the first and the last third, burst throughput in the second (the paper's figure 14). */
    STEP,
    /** The base throughput, with a burst in the middle for a sixth of the length. */
    SPIKE
}
