/**
 * The operations of a {@link io.lambdafs.functions.NameNode}, read and write. They go as in the paper's figure 5: a walk of the trie answers a
 * hit; a miss resolves the path, reads the store and fills; a write locks, invalidates, commits, publishes.
 */
@NullMarked
package io.lambdafs.functions.namenode;

import org.jspecify.annotations.NullMarked;
