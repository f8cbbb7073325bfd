package io.lambdafs.systemtests.violations.cycle.above;

import io.lambdafs.systemtests.violations.cycle.below.CycleBelow;

/** A class above another. */
public record CycleAbove(CycleBelow below) {}
