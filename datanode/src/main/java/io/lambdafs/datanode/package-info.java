/**
 * The datanode: writes and reads blocks for clients, in a block store that all datanodes of a cluster may share.
 * {@link io.lambdafs.datanode.block.BlockStore} defines the requirements for a store; objects are immutable, and each
 * carries the checksums of its block. A datanode's other knowledge can be lost: the metadata lists the blocks.
 */
@NullMarked
package io.lambdafs.datanode;

import org.jspecify.annotations.NullMarked;
