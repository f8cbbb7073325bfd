package io.lambdafs.rpc.block;

import io.lambdafs.model.block.Block;
import io.lambdafs.rpc.message.Message;

/** A block is durable under its key. */
public record WriteFinished(Block block) implements Message {}
