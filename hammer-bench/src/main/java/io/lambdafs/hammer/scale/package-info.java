/**
 * The service at sizes that no machine here has, in simulated time: the real client, placement, pool and admission, and in the place of the
 * NameNode, the store and the network how long they take, as measured or stated in {@code scale.yaml}.
 */
@NullMarked
package io.lambdafs.hammer.scale;

import org.jspecify.annotations.NullMarked;
