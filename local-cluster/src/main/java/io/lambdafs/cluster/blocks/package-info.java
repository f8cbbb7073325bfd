/** What an operator does with the blocks of a cluster: inspect, move and collect them in its block stores. */
@NullMarked
package io.lambdafs.cluster.blocks;

import org.jspecify.annotations.NullMarked;
