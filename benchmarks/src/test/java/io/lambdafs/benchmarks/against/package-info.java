/** Tests of the comparison of two builds. */
@NullMarked
package io.lambdafs.benchmarks.against;

import org.jspecify.annotations.NullMarked;
