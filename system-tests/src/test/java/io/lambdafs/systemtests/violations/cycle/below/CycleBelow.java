package io.lambdafs.systemtests.violations.cycle.below;

import io.lambdafs.systemtests.violations.cycle.above.CycleAbove;
import org.jspecify.annotations.Nullable;

/** A class that knows the one above it. */
public record CycleBelow(@Nullable CycleAbove above) {}
