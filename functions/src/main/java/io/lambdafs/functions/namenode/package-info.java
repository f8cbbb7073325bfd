/**
 * The read and write operations of a {@link io.lambdafs.functions.NameNode}, following the paper's figure 5: a walk of
 * the trie answers a hit; a miss resolves the path, reads the store and fills the cache; a write locks, invalidates,
 * commits and publishes.
 */
@NullMarked
package io.lambdafs.functions.namenode;

import org.jspecify.annotations.NullMarked;
