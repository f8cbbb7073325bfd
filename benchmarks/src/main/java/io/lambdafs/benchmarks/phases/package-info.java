/** Commands for experiments in phases on several file systems in turns. */
@NullMarked
package io.lambdafs.benchmarks.phases;

import org.jspecify.annotations.NullMarked;
