/** Operators' actions on the blocks of a cluster: inspecting, moving and collecting them in its block stores. */
@NullMarked
package io.lambdafs.cluster.blocks;

import org.jspecify.annotations.NullMarked;
