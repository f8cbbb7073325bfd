/** Row locks of transactions, their queues, and the detection of deadlocks. */
@NullMarked
package io.lambdafs.store.lock;

import org.jspecify.annotations.NullMarked;
