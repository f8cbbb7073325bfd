package io.lambdafs.client.block;

import io.lambdafs.model.block.Block;
import io.lambdafs.model.operation.BlockOperation;

/**
 * A durable block. Immutable.
 *
 * @param block with its length and checksum
 * @param receipt its datanode's; {@link BlockOperation#NO_RECEIPT} if no datanode took part
 */
@SuppressWarnings("ArrayRecordComponent")
public record WrittenBlock(Block block, byte[] receipt) {}
