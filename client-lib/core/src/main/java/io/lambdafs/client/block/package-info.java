/**
 * Writes and reads the blocks of files at datanodes. What a file's blocks are, and in which order, is not known here: that is between the client of
 * the metadata and the instances.
 */
@NullMarked
package io.lambdafs.client.block;

import org.jspecify.annotations.NullMarked;
