/**
 * Loads and measures a file system as the paper's §5.2 does: a real directory tree becomes the namespace, the Spotify mix of
 * operations arrives in Pareto bursts at times that do not wait for answers, every answer is checked against a model of the
 * namespace, and a report shows throughput, latency, instances and cost. Three doors: {@link io.lambdafs.hammer.NamespaceImport},
 * {@link io.lambdafs.hammer.Replay} and {@link io.lambdafs.hammer.Report}; what is measured is a
 * {@link io.lambdafs.hammer.Target}, so any file system can stand behind it.
 */
@NullMarked
package io.lambdafs.hammer;

import org.jspecify.annotations.NullMarked;
