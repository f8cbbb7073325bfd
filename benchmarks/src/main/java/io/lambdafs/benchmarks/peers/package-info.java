/** The file systems that benches measure side by side: this one, HDFS, peers, and the servers that they need. */
@NullMarked
package io.lambdafs.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
