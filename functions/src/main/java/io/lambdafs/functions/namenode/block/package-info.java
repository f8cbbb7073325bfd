/** A file's content: small files in rows, blocks on datanodes, and where they lie. */
@NullMarked
package io.lambdafs.functions.namenode.block;

import org.jspecify.annotations.NullMarked;
