/** The gateway as a command sees it: whether it answers, and what its management API tells. */
@NullMarked
package io.lambdafs.cluster.gateway;

import org.jspecify.annotations.NullMarked;
