/**
 * Operations on directories (the paper's appendix D): rename, recursive delete, and changes of what path resolution needs. None walks
 * the subtree. Each marks its root, tells every instance to drop the subtree and to let what is under way in it end, and then is an
 * ordinary write of one row.
 */
@NullMarked
package io.lambdafs.functions.subtree;

import org.jspecify.annotations.NullMarked;
