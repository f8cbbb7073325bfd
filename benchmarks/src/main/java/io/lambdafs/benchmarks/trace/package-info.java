/** Traces in a format whose reader needs Hadoop's classes. */
@NullMarked
package io.lambdafs.benchmarks.trace;

import org.jspecify.annotations.NullMarked;
