/**
 * Loads and measures a file system as in the paper's §5.2: a real directory tree becomes the namespace; the Spotify mix
 * of operations arrives in Pareto bursts at times that do not wait for answers; every answer is checked against a model
 * of the namespace; and a report shows throughput, latency, instances and cost. Entry points are {@link
 * io.lambdafs.hammer.tree.NamespaceImport}, {@link io.lambdafs.hammer.replay.Replay} and {@link io.lambdafs.hammer.report.Report}; any
 * file system can be measured as a {@link io.lambdafs.hammer.tree.Target}.
 */
@NullMarked
package io.lambdafs.hammer;

import org.jspecify.annotations.NullMarked;
