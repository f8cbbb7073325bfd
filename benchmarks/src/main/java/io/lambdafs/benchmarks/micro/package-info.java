/**
 * {@code lambdafs bench micro}: the same calls to several file systems in turns, each from a measuring process of its own, with the CPU
 * time of both sides. Starts a λFS cluster, and HDFS beside it, where it is asked to.
 */
@NullMarked
package io.lambdafs.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
