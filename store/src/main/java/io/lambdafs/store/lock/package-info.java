/** The locks of transactions: who holds which row, who waits, and who would wait for ever. */
@NullMarked
package io.lambdafs.store.lock;

import org.jspecify.annotations.NullMarked;
