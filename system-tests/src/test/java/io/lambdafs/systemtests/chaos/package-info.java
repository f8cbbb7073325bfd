/**
 * Chaos on real processes: many small worlds, each a directory that a few clients use at once, while instances, gateway, store, ZooKeeper
 * and clients are killed, paused and cut off by a seed, clocks jump, and the disk is full. Every call is recorded, and porcupine, a checker
 * that is not part of this project, decides whether each world's history is linearizable.
 */
@NullMarked
package io.lambdafs.systemtests.chaos;

import org.jspecify.annotations.NullMarked;
