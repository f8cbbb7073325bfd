/** Quotas in simulated time: each commit is watched for what is over a limit. */
@NullMarked
package io.lambdafs.testing.simulation.quotas;

import org.jspecify.annotations.NullMarked;
