/**
 * What clients and datanodes say to each other about blocks. A block's bytes travel in chunks of at most 1 MiB, each with its CRC-32C, which every hop
 * checks. A write is a stream: it is opened with a token, takes as many bytes at once as the datanode grants, and counts for nothing until
 * it has been finished. A read has no state: each asks for one range, and brings its token.
 */
@NullMarked
package io.lambdafs.rpc.block;

import org.jspecify.annotations.NullMarked;
