/**
 * Subtree operations (the paper's appendix D): rename, recursive delete and attribute changes of directories. None
 * walks the subtree to do its work. Each marks its root, makes every instance drop the subtree and drain its operations
 * there, and then is an ordinary write of one row.
 */
@NullMarked
package io.lambdafs.functions.subtree;

import org.jspecify.annotations.NullMarked;
