/** The commands of experiments in phases, at several file systems in turns. */
@NullMarked
package io.lambdafs.benchmarks.phases;

import org.jspecify.annotations.NullMarked;
