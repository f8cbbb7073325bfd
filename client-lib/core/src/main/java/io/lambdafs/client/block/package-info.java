/**
 * Writes and reads the blocks of files at datanodes. It does not know the order of a file's blocks, which the
 * metadata's client and the instances agree on.
 */
@NullMarked
package io.lambdafs.client.block;

import org.jspecify.annotations.NullMarked;
