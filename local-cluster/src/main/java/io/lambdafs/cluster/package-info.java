/**
 * A cluster on this machine: a directory with settings, secrets and data, and the processes that serve it (ZooKeeper,
 * the store, the function gateway), which outlive the command that starts them.
 * {@link io.lambdafs.cluster.LocalCluster} is the entry.
 */
@NullMarked
package io.lambdafs.cluster;

import org.jspecify.annotations.NullMarked;
