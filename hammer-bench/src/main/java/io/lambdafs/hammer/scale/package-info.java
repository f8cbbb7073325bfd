/**
 * Simulates the service at sizes beyond any machine here: the real client, placement, pool and admission in simulated
 * time; NameNode, store and network are replaced by their times, as measured or stated in {@code scale.yaml}.
 */
@NullMarked
package io.lambdafs.hammer.scale;

import org.jspecify.annotations.NullMarked;
