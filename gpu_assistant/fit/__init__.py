"""Will it fit?   Shape + Wish -> Estimate -> changes that help, checked by a trial in the user's own environment"""
