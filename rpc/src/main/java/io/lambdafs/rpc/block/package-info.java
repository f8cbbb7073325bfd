/**
 * The messages between clients and datanodes. A block's bytes travel in chunks of at most 1 MiB, each with a CRC-32C
 * checked at every hop. A write is a stream: opened with a token, limited by the datanode's window, and without effect
 * until finished. A read is stateless: each requests one range with its token.
 */
@NullMarked
package io.lambdafs.rpc.block;

import org.jspecify.annotations.NullMarked;
