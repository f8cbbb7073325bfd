/**
 * {@code lambdafs bench micro}: makes the same calls to several file systems in turns, each from a measuring process of
 * its own, and measures the CPU time of both sides. Starts a λFS cluster and, if asked, HDFS.
 */
@NullMarked
package io.lambdafs.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
