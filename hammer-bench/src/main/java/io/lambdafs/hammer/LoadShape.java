package io.lambdafs.hammer;

/** How the load of a replay goes over its length. */
public enum LoadShape {
    /** The paper's §5.2.1: every 15 s another throughput from a Pareto distribution, and one burst. */
    BURSTS,
    /** The base throughput in the first and the last third, that of a burst in the one between (the paper's figure 14). */
    STEP,
    /** The base throughput, and that of a burst for a sixth of the length, in the middle. */
    SPIKE
}
