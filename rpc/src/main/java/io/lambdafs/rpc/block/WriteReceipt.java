package io.lambdafs.rpc.block;

import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.message.Message;

/**
 * A block is durable under its key.
 *
 * @param receipt the proof of that for instances ({@link BlockTokens#receipt}); not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record WriteReceipt(Block block, byte[] receipt) implements Message {}
