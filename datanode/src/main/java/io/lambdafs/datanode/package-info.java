/**
 * The datanode: writes and reads blocks for clients, in a block store that all datanodes of a cluster may share. {@link
 * io.lambdafs.datanode.block.BlockStore} is what a store must do; objects are immutable, and each brings the checksums of its block. What a datanode knows beside
 * that store can be lost: which blocks there are is in the metadata.
 */
@NullMarked
package io.lambdafs.datanode;

import org.jspecify.annotations.NullMarked;
