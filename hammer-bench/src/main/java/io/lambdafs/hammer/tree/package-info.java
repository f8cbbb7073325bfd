/** Directory trees for a load: their names, and their import into a file system. */
@NullMarked
package io.lambdafs.hammer.tree;

import org.jspecify.annotations.NullMarked;
