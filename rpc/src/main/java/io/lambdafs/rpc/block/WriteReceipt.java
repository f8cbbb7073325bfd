package io.lambdafs.rpc.block;

import io.lambdafs.model.Block;
import io.lambdafs.rpc.Message;

/**
 * A block is durable under its key.
 *
 * @param receipt by which instances know that ({@link BlockTokens#receipt}); not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record WriteReceipt(Block block, byte[] receipt) implements Message {}
