/**
 * Options that several commands take: which cluster, and with which settings it is started.
 */
@NullMarked
package io.lambdafs.cluster.options;

import org.jspecify.annotations.NullMarked;
