/**
 * Membership and leases in Apache ZooKeeper (the paper's §3.5 names it as one coordinator), through Curator; and an
 * embedded ZooKeeper server for clusters without one. ZooKeeper's and Curator's types stay inside this package.
 */
@NullMarked
package io.lambdafs.coordinator.zookeeper;

import org.jspecify.annotations.NullMarked;
